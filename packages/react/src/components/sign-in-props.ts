import type { FactorStep, MethodsStep } from "@latchkey/core/types"
import type { ReactNode } from "react"
import type { SignInTexts } from "./sign-in-texts.js"
import type { SlotProps } from "./slots.js"

/** The parts that `classNames` of `SignIn` can name. */
export type SignInPart =
  | "title"
  | "description"
  | "alert"
  | "providers"
  | "providerButton"
  | "logo"
  | "badge"
  | "separator"
  | "form"
  | "field"
  | "label"
  | "input"
  | "inputGroup"
  | "passwordToggle"
  | "fieldError"
  | "button"
  | "alternatives"
  | "alternative"
  | "code"
  | "footer"
  | "link"

export interface SignInLinks {
  /** URL of your page that resets a password. Shown in forms with a password. */
  readonly forgotPasswordUrl?: string | undefined
  /** URL of your page that creates an account. Shown at the end. */
  readonly createAccountUrl?: string | undefined
}

export interface SignInProps extends SlotProps<SignInPart>, SignInLinks {
  /**
   * What `GET <basePath>/signin` returned on your server, or `GET <basePath>/factor` on the page of `pages.factor`. The page
   * then shows it at once, also without JavaScript. @default the component asks the server
   */
  readonly initial?: MethodsStep | FactorStep | undefined
  /** Shows the second factor that a sign-in waits for. Set it on the page of `pages.factor`. @default false */
  readonly resume?: boolean | undefined
  /** The CSRF token, so that forms work before JavaScript has loaded. @default the one in `initial` */
  readonly csrfToken?: string | undefined
  /** IDs or types of the methods to offer, such as `["github", "email"]`. @default all */
  readonly methods?: readonly string[] | undefined
  /** Where the user goes afterwards. @default `callbackUrl` in the URL of the page, or else the current page */
  readonly redirectTo?: string | undefined
  /** Called after the sign-in with the URL to go to, instead of opening that URL. */
  readonly onSuccess?: ((url: string) => void) | undefined
  /** Replaces the heading. `null` leaves it out. @default an `<h1>` with `texts.title` */
  readonly heading?: ReactNode
  /** Shown while the methods load. @default `texts.loading` */
  readonly fallback?: ReactNode
  readonly texts?: Partial<SignInTexts> | undefined
}
