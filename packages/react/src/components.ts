"use client"

export {
  SignInButton,
  type SignInButtonProps,
  SignOutButton,
  type SignOutButtonProps,
} from "./components/session-buttons.js"
export { SignedIn, type SignedInProps, SignedOut, type SignedOutProps } from "./components/signed-in.js"
export type {
  ButtonProps,
  ButtonVariant,
  InputProps,
  LabelProps,
  LinkProps,
  SlotComponents,
  SlotProps,
} from "./components/slots.js"
export {
  UserButton,
  type UserButtonPart,
  type UserButtonProps,
  type UserButtonTexts,
} from "./components/user-button.js"
