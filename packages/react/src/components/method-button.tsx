import type { IconPath, SignInMethod } from "@latchkey/core/types"
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

function Logo({ method: { type, logo, icon, name } }: { readonly method: SignInMethod }): ReactElement {
  const part = usePart()
  const shared = { "data-slot": "sign-in-logo", className: part("logo", "logo") }
  // It follows the color scheme of the page, which an image can't.
  if (icon !== undefined) return <ProviderIcon {...shared} icon={icon} />
  if (logo !== undefined) return <img {...shared} src={logo} alt="" width="20" height="20" />
  if (type === "webauthn") return <PasskeyIcon {...shared} />
  return (
    <span {...shared} aria-hidden="true">
      {/^./su.exec(name.trim())?.[0].toUpperCase()}
    </span>
  )
}

interface IconProps {
  readonly className: string
}

function ProviderIcon({ icon, ...props }: IconProps & { readonly icon: readonly IconPath[] }): ReactElement {
  return (
    <svg {...props} viewBox="0 0 24 24" width="20" height="20" fill="currentColor" aria-hidden="true">
      {icon.map((path) => (
        <path key={path.d} {...path} />
      ))}
    </svg>
  )
}

function PasskeyIcon(props: IconProps): ReactElement {
  return (
    <svg {...props} viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" aria-hidden="true">
      <g strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round">
        <circle cx="8" cy="15.5" r="4.5" />
        <path d="m11.2 12.3 8.3-8.3m-3.5 3.5 3 3" />
      </g>
    </svg>
  )
}
