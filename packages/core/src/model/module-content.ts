import type { CaptchaAction } from "./captcha.js"
import type { CredentialInput } from "./credentials-provider.js"
import type { Params } from "./http-params.js"

/** The form of a factor. */
export interface FactorForm {
  readonly title: string
  readonly text?: string
  /** Shown above the fields, such as a QR code. */
  readonly blocks?: readonly Exclude<Block, { readonly kind: "form" }>[]
  /** By name: labels and attributes of the inputs. */
  readonly fields: Readonly<Record<string, CredentialInput>>
  readonly submit: string
  /** Further buttons, by the value of the field `action` that they send. They need no other field. */
  readonly actions?: Readonly<Record<string, string>>
  /** Another button. It only appears where the browser can use passkeys. */
  readonly passkey?: PasskeyButton
}

/** Asks the browser for a passkey, and sends the answer as the field `passkey`, for `context.passkeys.verify`. */
export interface PasskeyButton {
  readonly label: string
  /** What `context.passkeys.ask` returned. */
  readonly options: Readonly<Record<string, unknown>>
}

/** A part of a page. Texts are escaped. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** `src` is a data URL. */
  | { readonly kind: "image"; readonly src: string; readonly alt: string }
  /** Codes and keys to copy, one per line. */
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "link"; readonly url: string; readonly text: string }
  | {
      readonly kind: "form"
      /** A route of the module, such as `enroll`. With `signIn`, the id of one of its providers, and `prove` gets the fields. */
      readonly route: string
      readonly signIn?: true
      readonly fields?: FactorForm["fields"]
      /** Hidden fields. */
      readonly values?: Params
      readonly submit: string
      /** The form shows the CAPTCHA of this action, if one is configured. Check it with `captcha` of the context. */
      readonly captcha?: CaptchaAction
      /** Another action of the page stands out. @default false */
      readonly secondary?: boolean
    }

/** A part of a page of a module. */
export type PageBlock = Block | PasskeyBlock

/** A form with one button, which needs JavaScript. */
export interface PasskeyBlock extends PasskeyButton {
  readonly kind: "passkey"
  /** A route of the module. */
  readonly route: string
  /** Hidden fields. */
  readonly values?: Params
}

/** A page in the look of the built-in ones. */
export interface ModulePage {
  readonly title: string
  readonly blocks: readonly PageBlock[]
  readonly error?: string
  /** @default 200 */
  readonly status?: number
  /** Such as `retry-after`. */
  readonly headers?: Params
  /** URLs of other sites or apps to which the response to a form of the page redirects. Browsers block others. @default none */
  readonly redirects?: readonly string[]
  /** A visitor creates an account here, so the page links to `pages.terms` and `pages.privacy`. @default false */
  readonly isSignUp?: boolean
}

export interface Section {
  readonly title: string
  readonly blocks: readonly Block[]
}

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
  /**
   * It says what happened in the user's account, after they had proven who they are. Limits don't count it, so that a thief can't keep it
   * back. @default false
   */
  readonly isNotice?: boolean
}
