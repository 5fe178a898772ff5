import type { EveryProp, SignInAuthorizationParams } from "@latchkey/client"
import { type MouseEvent, type ReactElement, useState } from "react"
import { checkProps } from "../check-props.js"
import { signIn, signOut } from "../functions.js"
import { type ButtonProps, type SlotComponents, slotsOf } from "./slots.js"

interface SessionButtonProps extends ButtonProps {
  /** Where the user goes afterwards. @default the current page */
  readonly redirectTo?: string | undefined
  /** Replaces the plain `<button>`. */
  readonly components?: Pick<SlotComponents, "Button"> | undefined
}

export interface SignInButtonProps extends SessionButtonProps {
  /** ID of an OAuth provider. @default the sign-in page */
  readonly provider?: string | undefined
  /** Parameters for the provider's authorization endpoint. */
  readonly authorizationParams?: SignInAuthorizationParams | undefined
}

const known: EveryProp<Omit<SignInButtonProps, keyof ButtonProps>> = {
  redirectTo: true,
  components: true,
  provider: true,
  authorizationParams: true,
}

/**
 * A button that opens the sign-in page, or signs in with an OAuth provider. It takes the props of a `<button>`.
 *
 * @example
 * ```tsx
 * import { SignInButton } from "@latchkey/react/components"
 *
 * export const Enter = () => <SignInButton provider="github">Continue with GitHub</SignInButton>
 * ```
 */
export function SignInButton(given: SignInButtonProps): ReactElement {
  checkProps(given, { component: "SignInButton", props: known, passesOn: true })
  const { provider, authorizationParams, redirectTo, children = "Sign in", ...props } = given
  const start = async () => signIn(provider, { redirectTo }, authorizationParams)
  return (
    <SessionButton {...props} act={start}>
      {children}
    </SessionButton>
  )
}

export interface SignOutButtonProps extends SessionButtonProps {}

/**
 * A button that signs out in all tabs. It takes the props of a `<button>`.
 *
 * @example
 * ```tsx
 * import { SignOutButton } from "@latchkey/react/components"
 *
 * export const Leave = () => <SignOutButton redirectTo="/">Sign out</SignOutButton>
 * ```
 */
export function SignOutButton(given: SignOutButtonProps): ReactElement {
  checkProps(given, { component: "SignOutButton", props: { redirectTo: true, components: true }, passesOn: true })
  const { redirectTo, children = "Sign out", ...props } = given
  const end = async () => signOut({ redirectTo })
  return (
    <SessionButton {...props} act={end}>
      {children}
    </SessionButton>
  )
}

interface ActingButtonProps extends ButtonProps {
  readonly components?: Pick<SlotComponents, "Button"> | undefined
  readonly act: () => Promise<void>
}

/** Acts once at a time, unless the `onClick` of the application prevents it. */
function SessionButton({ components, act, onClick, ...props }: ActingButtonProps): ReactElement {
  const { Button } = slotsOf({ components }).components
  const [isBusy, setBusy] = useState(false)
  async function start(event: MouseEvent<HTMLButtonElement>): Promise<void> {
    onClick?.(event)
    if (event.defaultPrevented || isBusy) return
    setBusy(true)
    await act()
    setBusy(false)
  }
  return (
    <Button
      type="button"
      data-slot="button"
      aria-disabled={isBusy || undefined}
      {...props}
      onClick={(event) => void start(event)}
    />
  )
}
