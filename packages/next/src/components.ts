"use client"

// Sets the path of the auth routes.
import "./react.js"

export {
  SignedIn,
  SignedOut,
  SignInButton,
  SignOutButton,
  UserButton,
} from "@latchkey/react/components"
export type {
  ButtonProps,
  ButtonVariant,
  InputProps,
  LabelProps,
  LinkProps,
  SignedInProps,
  SignedOutProps,
  SignInButtonProps,
  SignOutButtonProps,
  SlotComponents,
  SlotProps,
  UserButtonPart,
  UserButtonProps,
  UserButtonTexts,
} from "@latchkey/react/components"
