"use client"

export type { FactorStep, MethodsStep } from "@latchkey/core/types"
export {
  SignInButton,
  type SignInButtonProps,
  SignOutButton,
  type SignOutButtonProps,
} from "./components/session-buttons.js"
export { SignIn } from "./components/sign-in.js"
export type { SignInLinks, SignInPart, SignInProps } from "./components/sign-in-props.js"
export type { SignInTexts } from "./components/sign-in-texts.js"
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
