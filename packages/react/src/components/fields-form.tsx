import type { SignInField } from "@latchkey/core/types"
import { type FormEvent, type ReactElement, useState } from "react"
import { Field } from "./field.js"
import { Alert, HiddenFields, LastUsed, StepButton, TextLink, usePart } from "./parts.js"
import { type MethodForm, type Problem, useControls } from "./sign-in-context.js"
import type { SignInTexts } from "./sign-in-texts.js"
import { useSlots } from "./slots.js"

interface FieldsFormProps {
  readonly form: MethodForm
  readonly isLastUsed: boolean
  readonly forgotPasswordUrl: string | undefined
}

/** The form of one method. Without JavaScript, it posts to the server. */
export function FieldsForm({ form, isLastUsed, forgotPasswordUrl }: FieldsFormProps): ReactElement {
  const { csrfToken, callbackUrl, problem, texts, submit } = useControls()
  const { classNames } = useSlots()
  const part = usePart()
  const [invalid, setInvalid] = useState<Readonly<Record<string, string>>>({})
  const { method, label, key } = form
  const { fields } = method
  const error = problemIn(fields, problem, key)
  const errors = { ...(error?.field !== undefined && { [error.field]: error.message }), ...invalid }
  const identifying = fields.find(({ type }) => type === "email" || type === "text" || type === "tel")

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    submit(form, valuesOf(event.currentTarget, fields))
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
      action={method.url}
      method="post"
      data-slot="sign-in-form"
      data-method={method.type}
      className={part("form", "form")}
      onSubmit={onSubmit}
      onInvalidCapture={onInvalid}
      onInput={() => setInvalid({})}
    >
      <HiddenFields fields={{ csrfToken, callbackUrl }} />
      {error !== undefined && error.field === undefined && <Alert>{error.message}</Alert>}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          form={key}
          isIdentifier={field === identifying}
          error={errors[field.name]}
        />
      ))}
      {forgotPasswordUrl !== undefined && fields.some(({ type }) => type === "password") && (
        <TextLink href={forgotPasswordUrl}>{texts.forgotPassword}</TextLink>
      )}
      <StepButton type="submit" step={key} className={classNames["button"]}>
        <span>{label}</span>
        {isLastUsed && <LastUsed />}
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
  const secret = code === "CredentialsSignin" ? fields.find(({ type }) => type === "password")?.name : undefined
  return { field: secret, message }
}

/** The values of the method's own fields. */
function valuesOf(form: HTMLFormElement, fields: readonly SignInField[]): Readonly<Record<string, string>> {
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
