import type { SignInMethod } from "@latchkey/core/types"
import type { FormEvent, ReactElement } from "react"
import { HiddenFields, LastUsed, StepButton, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { useSlots } from "./slots.js"

interface MethodButtonProps {
  readonly method: SignInMethod
  readonly isLastUsed: boolean
}

/** Starts a sign-in that needs no fields. A passkey needs JavaScript, and another provider a form. */
export function MethodButton({ method, isLastUsed }: MethodButtonProps): ReactElement {
  const { csrfToken, callbackUrl, press } = useControls()
  const { classNames } = useSlots()
  const isForm = method.type !== "webauthn"
  const button = (
    <StepButton
      type={isForm ? "submit" : "button"}
      step={method.id}
      variant="outline"
      data-provider={method.id}
      className={classNames["providerButton"]}
      onClick={isForm ? undefined : () => press(method)}
    >
      <Logo method={method} />
      <span>{method.label}</span>
      {isLastUsed && <LastUsed />}
    </StepButton>
  )
  if (!isForm) return button
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    press(method)
  }
  return (
    <form action={method.url} method="post" data-slot="sign-in-provider" onSubmit={onSubmit}>
      <HiddenFields fields={{ csrfToken, callbackUrl }} />
      {button}
    </form>
  )
}

function Logo({ method: { type, logo, name } }: { readonly method: SignInMethod }): ReactElement {
  const part = usePart()
  const className = part("logo", "logo")
  if (logo !== undefined)
    return <img data-slot="sign-in-logo" className={className} src={logo} alt="" width="20" height="20" />
  if (type === "webauthn") return <PasskeyIcon className={className} />
  return (
    <span data-slot="sign-in-logo" className={className} aria-hidden="true">
      {/^./su.exec(name.trim())?.[0].toUpperCase()}
    </span>
  )
}

function PasskeyIcon({ className }: { readonly className: string }): ReactElement {
  return (
    <svg
      data-slot="sign-in-logo"
      className={className}
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <circle cx="8" cy="15" r="5" />
      <path d="m12 11 8-8m-4 4 3 3m-6 0 2 2" />
    </svg>
  )
}
