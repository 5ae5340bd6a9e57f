import { splitFrameLabel } from './format-frame.ts';

/** Where the code of a frame comes from. It decides the frame's colour. */
export type FrameFamily = 'application' | 'jdk' | 'native';

export const FRAME_FAMILIES: readonly FrameFamily[] = ['application', 'jdk', 'native'];

/** Packages of the JDK's modules, with dots or slashes. */
const JDK =
  /^(?:java|javax|jdk|sun|javafx|com[./]sun|com[./]oracle[./](?:jrockit|graal)|org[./]graalvm|org[./]w3c[./]dom|org[./]xml[./]sax|org[./]ietf[./]jgss)[./]/;
/** `libjvm.so`, `libc.so.6`, `ntdll.dll`, `libsystem.dylib`: libraries, whose names contain dots like class names. */
const LIBRARY = /\.(?:so(?:\.\d+)*|dll|dylib)$/;

/**
 * The family of a frame. It depends only on the label, so that it is the same for all formats:
 *
 *   jdk           its class is in a package of the JDK: java., javax., jdk., sun., com.sun., …; also with slashes
 *   native        it has no class (C and C++ functions, the kernel, VM stubs), or is not a method at all:
 *                 Compiler::compile_method, [unknown], (truncated), <UNIDENTIFIED : Method Id = 7>, libc.so.6
 *   application   everything else: the program and its libraries
 *
 * Error rows (`RowKind` error) are drawn with the native family, see `frameStyle`.
 */
export function frameFamily(label: string): FrameFamily {
  const first = label.charCodeAt(0);
  if (first === 0x3c /* < */ || first === 0x5b /* [ */) return 'native';
  const { package: path, name } = splitFrameLabel(label);
  if (JDK.test(path)) return 'jdk';
  const hasClass = path !== '' || name.lastIndexOf('.') > 0;
  return !hasClass || name.includes('::') || LIBRARY.test(path + name) ? 'native' : 'application';
}
