import type { ReactElement, ReactNode } from "react"
import { useControls } from "./sign-in-context.js"
import type { SignInPart } from "./sign-in-props.js"
import { type ButtonProps, classes, useSlots } from "./slots.js"

interface PartProps {
  readonly children?: ReactNode
}

/** The class of a part in the style sheet, and the one of the application. */
export function usePart(): (part: SignInPart, name: string) => string {
  const { classNames } = useSlots()
  return (part, name) => classes(`latchkey-${name}`, classNames[part])
}

/** It can have the focus, so that screen readers announce a step without a field. */
export function Title({ children }: PartProps): ReactElement {
  const part = usePart()
  return (
    <h1 data-slot="sign-in-title" className={part("title", "title")} tabIndex={-1}>
      {children}
    </h1>
  )
}

export function Description({ children }: PartProps): ReactElement {
  const part = usePart()
  return (
    <p data-slot="sign-in-description" className={part("description", "description")}>
      {children}
    </p>
  )
}

/** A problem that isn't about one field. */
export function Alert({ children }: PartProps): ReactElement {
  const part = usePart()
  return (
    <div role="alert" data-slot="alert" data-variant="destructive" className={part("alert", "alert")}>
      {children}
    </div>
  )
}

export function FieldError({ id, children }: PartProps & { readonly id: string }): ReactElement {
  const part = usePart()
  return (
    <p id={id} data-slot="field-error" className={part("fieldError", "field-error")}>
      {children}
    </p>
  )
}

export function TextLink({ href, children }: PartProps & { readonly href: string }): ReactElement {
  const { components, classNames } = useSlots()
  const { Link } = components
  return (
    <Link data-slot="link" className={classNames["link"]} href={href}>
      {children}
    </Link>
  )
}

export function LastUsed(): ReactElement {
  const { texts } = useControls()
  const part = usePart()
  return (
    <span data-slot="badge" className={part("badge", "badge")}>
      {texts.lastUsed}
    </span>
  )
}

/** The fields that each form sends, so that it also works before JavaScript has loaded. */
export function HiddenFields({ fields }: { readonly fields: Readonly<Record<string, string | undefined>> }): ReactNode {
  return Object.entries(fields).map(([name, value]) =>
    !value ? null : <input key={name} type="hidden" name={name} value={value} />,
  )
}

/** A boolean attribute, which is left out if it's false. */
export function flag(isSet: boolean): true | undefined {
  return isSet || undefined
}

interface StepButtonProps extends ButtonProps {
  /** The step that it starts, as in `pending`. */
  readonly step: string
}

/** A button that looks disabled while a step is on its way. It keeps the focus, which a disabled one would lose. */
export function StepButton({ step, ...props }: StepButtonProps): ReactElement {
  const { pending } = useControls()
  const { Button } = useSlots().components
  return (
    <Button
      data-slot="button"
      aria-disabled={flag(pending !== undefined)}
      data-pending={flag(pending === step)}
      {...props}
    />
  )
}
