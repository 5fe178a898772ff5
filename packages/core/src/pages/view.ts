import type { Page } from "../model/http.js"
import type { Html } from "./html.js"
import type { Image } from "./image.js"

/** The page of this name. */
export type PageOf<Name extends Page["name"]> = Extract<Page, { readonly name: Name }>

/** What one page is, before it gets its frame. */
export interface View {
  readonly title: string
  /** Class of the outermost element (spec/pages.md). */
  readonly root: string
  readonly status: number
  readonly content: Html
  /** All images in it. */
  readonly images: readonly Image[]
  /** CSS rules of this page alone. */
  readonly rules: string
  readonly script?: string
  /** Where its forms may lead, redirects included; `undefined`: it cannot be said. */
  readonly formTargets: readonly string[] | undefined
}
