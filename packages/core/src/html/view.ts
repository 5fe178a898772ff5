import type { Messages } from "../i18n/messages.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, Page } from "../model/http.js"
import type { Html } from "./html.js"
import type { Image } from "./image.js"

export type PageOf<Name extends Page["name"]> = Extract<Page, { readonly name: Name }>

/** What every page is rendered from. */
export interface PageContext {
  readonly auth: AuthContext
  readonly request: AuthRequest
  readonly t: Messages
  /** Tag of the language, for `Intl`. */
  readonly locale: string
}

/** A page without the HTML document around it. */
export interface View {
  readonly title: string
  /** Class of the `<main>` element. */
  readonly root: string
  readonly status: number
  readonly content: Html
  readonly images: readonly Image[]
  /** CSS rules that only this page needs. */
  readonly rules: string
  readonly script?: string | undefined
  /** The script sends requests to this site. */
  readonly connects?: boolean
  /** @default "same-origin" */
  readonly referrer?: "strict-origin"
  /** Sources for `form-action`, redirects included; `undefined` if the CSP grammar can't express them. */
  readonly formTargets: readonly string[] | undefined
}
