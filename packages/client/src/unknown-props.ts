/** Every prop of a component. One that the table lacks, or that only the table has, doesn't compile. */
export type EveryProp<P> = { readonly [Name in keyof P]-?: true }

export interface KnownProps {
  /** The name of the component. */
  readonly component: string
  readonly props: Readonly<Record<string, true>>
  /** The component passes other props on to an element, so only a name that is close to a known one is unknown. @default false */
  readonly passesOn?: boolean | undefined
}

const warned = new Set<string>()

/**
 * Warns once of each prop that a component doesn't have. For packages of frameworks, in development.
 *
 * @example
 * ```ts
 * import { warnOfUnknownProps } from "@latchkey/client"
 * warnOfUnknownProps({ basepath: "/auth" }, { component: "SessionProvider", props: { basePath: true } })
 * ```
 */
export function warnOfUnknownProps(given: object, { component, props, passesOn = false }: KnownProps): void {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(props, name) || everywhere.test(name)) continue
    const meant = nearest(name.toLowerCase(), Object.keys(props))
    if (meant === undefined && passesOn) continue
    const hint = meant === undefined ? "It has no effect." : `Did you mean \`${meant}\`?`
    const warning = `<${component}> has no prop \`${name}\`. ${hint}`
    if (warned.has(warning)) continue
    warned.add(warning)
    console.warn(warning)
  }
}

/** Tools add such props, and frameworks read the first two. */
const everywhere = /^(?:children$|key$|data-|aria-)/

/** A name in other case comes first: `classnames` is closer to `classNames` than to `className`. */
function nearest(typed: string, names: readonly string[]): string | undefined {
  const isSame = (name: string) => name.toLowerCase() === typed
  return names.find(isSame) ?? names.find((name) => isOneLetterOff(typed, name.toLowerCase()))
}

/** One letter more, less or different, or two in the wrong order. */
function isOneLetterOff(typed: string, name: string): boolean {
  let at = 0
  while (at < typed.length && typed[at] === name[at]) at += 1
  const [rest, wanted] = [typed.slice(at), name.slice(at)]
  const [first = "", second = ""] = rest
  return [rest.slice(1), wanted[0] + rest, wanted[0] + rest.slice(1), second + first + rest.slice(2)].includes(wanted)
}
