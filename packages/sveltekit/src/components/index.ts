import type { SvelteComponent } from "svelte"
import type { ActionOptions, AuthorizationParams } from "../types.js"
import SignInForm from "./SignIn.svelte"
import SignOutForm from "./SignOut.svelte"

/** The properties of {@link SignIn}. Others are attributes of the form. */
export interface SignInProps extends Record<string, unknown> {
  className?: string
  /** The provider's id. @default the sign-in page asks for the provider */
  provider?: string
  /** The path of a page whose default action is `signIn`, without a leading slash. @default "signin" */
  signInPage?: string
  options?: ActionOptions<boolean>
  authorizationParams?: AuthorizationParams
}

/** The properties of {@link SignOut}. Others are attributes of the form. */
export interface SignOutProps extends Record<string, unknown> {
  className?: string
  options?: { redirectTo?: string; redirect?: boolean }
  /** The path of a page whose default action is `signOut`, without a leading slash. @default "signout" */
  signOutPage?: string
}

interface SignInSlots {
  credentials: object
  email: object
  submitButton: object
}

/** An instance of {@link SignIn}. */
export type SignIn = SvelteComponent<SignInProps, Record<string, never>, SignInSlots>

/** A form that signs in with a provider. Its slots are `credentials` and `email` for fields, and `submitButton`. */
export const SignIn: typeof SvelteComponent<SignInProps, Record<string, never>, SignInSlots> = SignInForm

/** An instance of {@link SignOut}. */
export type SignOut = SvelteComponent<SignOutProps, Record<string, never>, { submitButton: object }>

/** A form that signs out. Its slot is `submitButton`. */
export const SignOut: typeof SvelteComponent<SignOutProps, Record<string, never>, { submitButton: object }> =
  SignOutForm
