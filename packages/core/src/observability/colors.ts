interface Terminal {
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  readonly stdout?: { readonly isTTY?: boolean } | undefined
  readonly stderr?: { readonly isTTY?: boolean } | undefined
}

/**
 * Whether to write ANSI color codes: only to a terminal, unless NO_COLOR (https://no-color.org) or FORCE_COLOR says otherwise.
 * Runtimes without a `process` have no terminal.
 */
export function hasColors(stream: "stdout" | "stderr", given: unknown = Reflect.get(globalThis, "process")): boolean {
  const process: Terminal = typeof given === "object" && given !== null ? given : {}
  const { FORCE_COLOR: forced, NO_COLOR: refused } = process.env ?? {}
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  return !refused && process[stream]?.isTTY === true
}
