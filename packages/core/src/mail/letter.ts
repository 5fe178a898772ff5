import type { Theme } from "../model/pages.js"

/** What an email says, in any language. */
export interface Letter {
  readonly tag: string
  readonly direction: "ltr" | "rtl"
  readonly theme: Theme
  /** The name of the application. */
  readonly host: string
  readonly subject: string
  /** With `{host}`, which is shown in bold. */
  readonly heading: string
  /** The preview that an inbox shows next to the subject. */
  readonly preview: string
  /** Between the heading and the button. */
  readonly text?: string | undefined
  readonly link?: LetterLink | undefined
  readonly code?: { readonly label: string; readonly code: string } | undefined
  readonly closing: readonly string[]
}

/** A button, and its URL in plain text for those who can't use it. */
export interface LetterLink {
  readonly url: string
  readonly button: string
  readonly fallback: string
}
