/** The texts of a sign-in email. Placeholders: `{host}`, the site; `{time}`, a duration; `{code}`. */
export interface MailTexts {
  readonly subject: string
  readonly heading: string
  readonly button: string
  /** Above the code. */
  readonly code: string
  /** When the link expires: `{time}`. */
  readonly linkLasts: string
  /** When the code expires: `{time}`. */
  readonly codeLasts: string
  /** Above the URL of the link in plain text. */
  readonly fallback: string
  /** For a recipient who didn't request the email. */
  readonly ignore: string
  /** Follows `ignore` if there is a code. */
  readonly keepCode: string
  /** The preview that an inbox shows next to the subject. */
  readonly preview: string
  /** The preview if there is a code: `{code}`. */
  readonly previewWithCode: string
}

/** Texts of the emails. */
export interface MailMessages {
  readonly signIn: MailTexts
  /** To the new address. Placeholders: `{host}`, `{email}` and `{time}`. */
  readonly changeEmail: {
    readonly subject: string
    readonly heading: string
    readonly text: string
    readonly button: string
    readonly linkLasts: string
    readonly fallback: string
    readonly ignore: string
    readonly preview: string
  }
  /** To the old address. Placeholders: `{host}` and `{email}`, the new address, masked. */
  readonly emailChanged: {
    readonly subject: string
    readonly heading: string
    readonly text: string
    readonly warning: string
    readonly preview: string
  }
}
