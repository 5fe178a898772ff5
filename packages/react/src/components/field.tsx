import type { SignInField } from "@latchkey/core/types"
import { type ReactElement, useState } from "react"
import { FieldError, usePart } from "./parts.js"
import { useControls } from "./sign-in-context.js"
import { type InputProps, useSlots } from "./slots.js"

interface FieldProps {
  readonly field: SignInField
  /** The key of its form. */
  readonly form: string
  readonly error: string | undefined
  /** It's the email or the user name, which other forms take over. */
  readonly isIdentifier: boolean
}

/** A label, its input and the error. */
export function Field({ field, form, error, isIdentifier }: FieldProps): ReactElement {
  const { id: prefix } = useControls()
  const { components, classNames } = useSlots()
  const { Label } = components
  const part = usePart()
  const props = useInputProps(field, isIdentifier)
  if (field.type === "hidden") return <input type="hidden" name={field.name} defaultValue={field.value} />
  const id = `${prefix}${form}-${field.name}`.replaceAll(/\s/g, "-")
  if (field.type === "checkbox") return <Checkbox {...props} id={id} label={field.label} />
  const errorId = `${id}-error`
  const described = error === undefined ? {} : { "aria-invalid": true, "aria-describedby": errorId }
  const InputOfType = field.type === "password" ? PasswordInput : TextInput
  return (
    <div data-slot="field" data-invalid={error !== undefined || undefined} className={part("field", "field")}>
      <Label data-slot="label" className={classNames["label"]} htmlFor={id}>
        {field.label}
      </Label>
      <InputOfType {...props} {...described} id={id} />
      {error !== undefined && <FieldError id={errorId}>{error}</FieldError>}
    </div>
  )
}

/** The box is part of its label. */
function Checkbox({ label, ...props }: InputProps & { readonly id: string; readonly label: string }): ReactElement {
  const { components, classNames } = useSlots()
  const { Label } = components
  const part = usePart()
  return (
    <div data-slot="field" className={part("field", "field")}>
      <Label data-slot="label" className={classNames["label"]} htmlFor={props.id}>
        <input {...props} /> {label}
      </Label>
    </div>
  )
}

/** The names that React has for attributes of HTML. */
const reactNames: Readonly<Record<string, string>> = {
  autocapitalize: "autoCapitalize",
  autocorrect: "autoCorrect",
  enterkeyhint: "enterKeyHint",
  inputmode: "inputMode",
  maxlength: "maxLength",
  minlength: "minLength",
  readonly: "readOnly",
  spellcheck: "spellCheck",
}

function useInputProps(field: SignInField, isIdentifier: boolean): InputProps {
  const { identifier, methods } = useControls()
  const { name, type, required, autocomplete, placeholder, value, attributes = {} } = field
  const offersPasskeys = isIdentifier && methods.some((method) => method.type === "webauthn" && method.autofill)
  const tokens = new Set([...(autocomplete ?? defaultTokens[type] ?? "").split(" "), offersPasskeys ? "webauthn" : ""])
  const entries = Object.entries(attributes).filter(([key]) => key !== "autofocus")
  return {
    ...Object.fromEntries(entries.map(([key, given]) => [reactNames[key] ?? key, given])),
    name,
    type,
    required,
    placeholder,
    autoComplete: [...tokens].filter(Boolean).join(" ") || undefined,
    defaultValue: (isIdentifier && fitting(identifier.current, type)) || value,
    ...(isIdentifier && {
      onInput: ({ currentTarget }) => {
        identifier.current = currentTarget.value
      },
    }),
  }
}

/** A user name doesn't fit in an email field. */
function fitting(identifier: string, type: string): string | undefined {
  return type === "email" && !identifier.includes("@") ? undefined : identifier
}

const defaultTokens: Readonly<Record<string, string>> = { email: "email", password: "current-password" }

function TextInput(props: InputProps): ReactElement {
  const { components, classNames } = useSlots()
  const { Input } = components
  return <Input data-slot="input" className={classNames["input"]} {...props} />
}

/** With a button that shows the password. The password is hidden again when the form is sent. */
function PasswordInput(props: InputProps): ReactElement {
  const { texts, pending } = useControls()
  const { components, classNames } = useSlots()
  const { Button } = components
  const part = usePart()
  const [isShown, setShown] = useState(false)
  return (
    <div data-slot="input-group" className={part("inputGroup", "input-group")}>
      <TextInput {...props} type={isShown && pending === undefined ? "text" : "password"} />
      <Button
        type="button"
        variant="ghost"
        data-slot="password-toggle"
        className={classNames["passwordToggle"]}
        aria-pressed={isShown}
        aria-controls={props.id}
        onClick={() => setShown(!isShown)}
      >
        <EyeIcon />
        {/* Text, because a test that looks for the field by its label would also find a button with this `aria-label`. */}
        <span className="latchkey-hidden sr-only">{texts.showPassword}</span>
      </Button>
    </div>
  )
}

function EyeIcon(): ReactElement {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12Z" />
      <circle cx="12" cy="12" r="3" />
      <path className="latchkey-strike" d="m4 4 16 16" strokeLinecap="round" />
    </svg>
  )
}
