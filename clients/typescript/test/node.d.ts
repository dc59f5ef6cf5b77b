// What this package uses of Node; Debian has no types of it.
declare module 'node:fs/promises' {
  type Handle = { writeFile(text: string): Promise<void>, sync(): Promise<void>, close(): Promise<void> }
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>
  export function open(path: string, flags: string): Promise<Handle>
  export function readFile(path: string, encoding: 'utf8'): Promise<string>
  export function rename(from: string, to: string): Promise<void>
  export function rm(path: string, options: { force: true }): Promise<void>
  export function rmdir(path: string): Promise<void>
}
declare module 'node:readline' {
  export function createInterface(options: { input: unknown }): AsyncIterable<string>
}
declare const process: { argv: string[], stdin: unknown, stdout: { write(text: string): void }, exit(code: number): never }
