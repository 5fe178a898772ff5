"use client"

// Sets the path of the auth routes.
import "./react.js"

export {
  SignedIn,
  SignedOut,
  SignIn,
  SignInButton,
  SignOutButton,
  UserButton,
} from "@latchkey/react/components"
export type {
  ButtonProps,
  ButtonVariant,
  FactorStep,
  InputProps,
  LabelProps,
  LinkProps,
  MethodsStep,
  SignedInProps,
  SignedOutProps,
  SignInButtonProps,
  SignInLinks,
  SignInPart,
  SignInProps,
  SignInTexts,
  SignOutButtonProps,
  SlotComponents,
  SlotProps,
  UserButtonPart,
  UserButtonProps,
  UserButtonTexts,
} from "@latchkey/react/components"
