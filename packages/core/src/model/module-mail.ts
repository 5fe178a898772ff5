/** An email in the layout and the language of the others. */
export interface ModuleMail {
  readonly to: string
  readonly subject: string
  readonly heading: string
  readonly text: string
  readonly link?: { readonly url: string; readonly text: string; readonly fallback: string }
  readonly code?: { readonly label: string; readonly code: string }
  /** Further paragraphs. */
  readonly closing?: readonly string[]
}
