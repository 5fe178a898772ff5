import { type KnownProps, warnOfUnknownProps } from "@latchkey/client"

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/**
 * Warns of misspelled props in development. Bundlers for production replace the condition by `true` and leave out the rest,
 * as in React, which doesn't run without such a bundler either.
 */
export function checkProps(given: object, known: KnownProps): void {
  if (process.env.NODE_ENV === "production") return
  warnOfUnknownProps(given, known)
}
