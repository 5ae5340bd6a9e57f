declare global {
  interface Window {
    /** Components rendered so far, if `countRenders` was run before the page's own scripts. */
    renderCounts?: {
      readonly app: number;
      readonly topRow: number;
      readonly rows: number;
      readonly help: number;
    };
  }
}

/** What this needs of React's internal data: a component or element, and its state before the commit. */
interface Fiber {
  readonly type: unknown;
  readonly flags: number;
  readonly stateNode: unknown;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly alternate: Fiber | null;
}

/**
 * In the page: counts what React renders of the whole window, in the top row and in tables, and the dialog of
 * keyboard shortcuts, as its developer tools do.
 */
export function countRenders(): void {
  /** Flag of a fiber whose component was rendered in this commit. */
  const PERFORMED_WORK = 1;
  const counts = { app: 0, topRow: 0, rows: 0, help: 0 };
  const classOf = (fiber: Fiber | null): string =>
    fiber?.stateNode instanceof HTMLElement ? fiber.stateNode.className : '';
  const visit = (fiber: Fiber, area: 'topRow' | 'rows' | undefined): void => {
    const className = classOf(fiber);
    const inside = className.startsWith('top-row ')
      ? 'topRow'
      : className.startsWith('virtual-rows')
        ? 'rows'
        : area;
    if (typeof fiber.type !== 'string' && (fiber.flags & PERFORMED_WORK) !== 0) {
      if (inside !== undefined) counts[inside]++;
      else if (classOf(fiber.child) === 'app') counts.app++;
      else if (classOf(fiber.child) === 'dialog help') counts.help++;
    }
    // The children of a component that was not rendered are those of before, with the flags of their own last render.
    if (fiber.alternate !== null && fiber.child === fiber.alternate.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) visit(child, inside);
  };
  Object.assign(window, {
    renderCounts: counts,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberRoot: (_: number, root: { readonly current: Fiber }) => visit(root.current, undefined),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    },
  });
}
