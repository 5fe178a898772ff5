import type { SignInField } from "@latchkey/core/types"
import { type FormEvent, type ReactElement, type ReactNode, useState } from "react"
import { Field } from "./field.js"
import { Alert, HiddenFields, StepButton, usePart } from "./parts.js"
import { type Fields, type Problem, useControls } from "./sign-in-context.js"
import type { SignInTexts } from "./sign-in-texts.js"
import { useSlots } from "./slots.js"

interface FieldsFormProps {
  readonly form: {
    readonly key: string
    /** What it's for, for style sheets and tests. */
    readonly type: string
    /** Without JavaScript, the form posts to this URL. */
    readonly url: string
    readonly fields: readonly SignInField[]
  }
  readonly hidden: Readonly<Record<string, string | undefined>>
  /** The name of the field for the email or the user name. */
  readonly identifying?: string | undefined
  /** The content of the button. */
  readonly label: ReactNode
  /** Shown above the button. */
  readonly children?: ReactNode
  readonly onSubmit: (fields: Fields) => void
}

/** Fields, the errors beside them, and a button. */
export function FieldsForm({ form, hidden, identifying, label, children, onSubmit }: FieldsFormProps): ReactElement {
  const { problem, texts } = useControls()
  const { classNames } = useSlots()
  const part = usePart()
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({})
  const { key, type, url, fields } = form
  const error = problemIn(fields, problem, key)
  const errors = { ...(error?.field !== undefined && { [error.field]: error.message }), ...invalid }

  function send(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    onSubmit(valuesOf(event.currentTarget, fields))
  }

  /** Shows the browser's validation beside the field, instead of in a bubble. */
  function onInvalid(event: FormEvent<HTMLFormElement>): void {
    const { target, currentTarget } = event
    if (!(target instanceof HTMLInputElement)) return
    event.preventDefault()
    setInvalid((before) => ({ ...before, [target.name]: validationOf(target, texts) }))
    if (currentTarget.querySelector(":invalid") === target) target.focus()
  }

  return (
    <form
      action={url}
      method="post"
      data-slot="sign-in-form"
      data-method={type}
      className={part("form", "form")}
      onSubmit={send}
      onInvalidCapture={onInvalid}
      onInput={() => setInvalid({})}
    >
      <HiddenFields fields={hidden} />
      {error !== undefined && error.field === undefined && <Alert>{error.message}</Alert>}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          form={key}
          isIdentifier={field.name === identifying}
          error={errors[field.name]}
        />
      ))}
      {children}
      <StepButton type="submit" step={key} className={classNames["button"]}>
        {label}
      </StepButton>
    </form>
  )
}

interface FieldProblem {
  readonly field: string | undefined
  readonly message: string
}

/** A refused sign-in doesn't say which field is wrong, because that would tell whether the account exists. */
function problemIn(
  fields: readonly SignInField[],
  problem: Problem | undefined,
  key: string,
): FieldProblem | undefined {
  if (problem === undefined || problem.key !== key) return undefined
  const { field, code, message } = problem.error
  if (fields.some(({ name }) => name === field)) return { field, message }
  return { field: fields.find((each) => isWrong(each, code))?.name, message }
}

function isWrong({ type }: SignInField, code: string): boolean {
  return code === "CredentialsSignin" ? type === "password" : code === "FactorRefused" && type !== "hidden"
}

/** The values of the form's own fields. */
function valuesOf(form: HTMLFormElement, fields: readonly SignInField[]): Fields {
  const names = new Set(fields.map(({ name }) => name))
  const entries = [...new FormData(form)].flatMap(([name, value]) =>
    names.has(name) && typeof value === "string" ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function validationOf({ validity, validationMessage }: HTMLInputElement, texts: SignInTexts): string {
  if (validity.valueMissing) return texts.required
  return validity.typeMismatch ? texts.invalidEmail : validationMessage
}
