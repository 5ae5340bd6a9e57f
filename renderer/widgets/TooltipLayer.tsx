import { type ReactNode, useEffect, useRef } from 'react';
import './tooltip.css';

const REST_MS = 450;

/**
 * The window's only tooltip: shows the `data-tip` of the hovered or focused element. It repeats or adds to the
 * element's own name, so screen readers ignore it.
 */
export function TooltipLayer(): ReactNode {
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const tip = element.current;
    if (tip === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let owner: Element | undefined;

    function hide(): void {
      clearTimeout(timer);
      owner = undefined;
      tip?.hidePopover();
    }

    function show(target: Element): void {
      const text = target.getAttribute('data-tip');
      if (tip === null || text === null || !(target instanceof HTMLElement) || !target.isConnected) return;
      tip.textContent = text;
      tip.showPopover({ source: target });
    }

    function onOver(event: Event): void {
      const target = event.target instanceof Element ? event.target.closest('[data-tip]') : null;
      if (target === owner) return;
      hide();
      if (target === null) return;
      owner = target;
      timer = setTimeout(() => show(target), REST_MS);
    }

    function onFocus(event: FocusEvent): void {
      if (event.target instanceof Element && event.target.matches(':focus-visible')) onOver(event);
    }

    document.addEventListener('pointerover', onOver);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', hide, true);
    document.addEventListener('keydown', hide, true);
    document.addEventListener('scroll', hide, true);
    // Its element moves, and it could end outside of a narrower window.
    window.addEventListener('resize', hide);
    return () => {
      hide();
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', hide, true);
      document.removeEventListener('keydown', hide, true);
      document.removeEventListener('scroll', hide, true);
      window.removeEventListener('resize', hide);
    };
  }, []);

  return <div ref={element} className="tooltip" popover="manual" aria-hidden="true" />;
}
