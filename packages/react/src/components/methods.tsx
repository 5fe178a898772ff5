import type { SignInField, SignInMethod } from "@latchkey/core/types"
import type { ReactElement, ReactNode } from "react"
import { FieldsForm } from "./fields-form.js"
import { MethodButton } from "./method-button.js"
import { Alert, Description, LastUsed, TextLink, usePart } from "./parts.js"
import type { SignInLinks } from "./sign-in-props.js"
import { type MethodForm, useControls } from "./sign-in-context.js"
import { useSlots } from "./slots.js"

interface MethodsProps extends SignInLinks {
  readonly lastUsed: string | undefined
}

/** The buttons, and one form at a time. What the configuration has first comes first. */
export function Methods({ lastUsed, forgotPasswordUrl, createAccountUrl }: MethodsProps): ReactElement {
  const { methods, problem, chosen, texts } = useControls()
  const forms = formsOf(methods)
  const wanted = [chosen, problem?.key, lastUsed]
  const open = wanted.map((key) => forms.find((form) => form.key === key)).find(Boolean) ?? forms[0]
  return (
    <>
      {problem !== undefined && problem.key !== open?.key && <Alert>{problem.error.message}</Alert>}
      {methods.length === 0 && <Description>{texts.nothing}</Description>}
      <Groups
        isFormFirst={methods[0] !== undefined && !isButton(methods[0])}
        buttons={buttonsOf(methods, lastUsed)}
        form={
          open && (
            <FormOfMethod
              key={open.key}
              form={open}
              isLastUsed={open.key === lastUsed}
              forgotPasswordUrl={forgotPasswordUrl}
            />
          )
        }
      />
      <Alternatives forms={forms} open={open} />
      {createAccountUrl !== undefined && <Footer url={createAccountUrl} />}
    </>
  )
}

interface GroupsProps {
  readonly isFormFirst: boolean
  readonly buttons: ReactElement | undefined
  readonly form: ReactElement | undefined
}

function Groups({ isFormFirst, buttons, form }: GroupsProps): ReactNode {
  if (buttons === undefined || form === undefined) return buttons ?? form
  return (
    <>
      {isFormFirst ? form : buttons}
      <Separator />
      {isFormFirst ? buttons : form}
    </>
  )
}

/** OAuth and passkeys need no fields. */
function isButton({ type }: SignInMethod): boolean {
  return type === "oauth" || type === "oidc" || type === "webauthn"
}

/** New passkeys come last, because most users have an account. */
function formsOf(methods: readonly SignInMethod[]): readonly MethodForm[] {
  const signIn = methods.flatMap((method): MethodForm[] =>
    method.type === "email" || method.type === "credentials"
      ? [{ key: method.id, method, label: method.label, instead: method.instead }]
      : [],
  )
  const signUp = methods.flatMap((method): MethodForm[] =>
    method.type === "webauthn" && method.signUp !== undefined
      ? [{ key: `${method.id} register`, method, label: method.signUp.label, instead: method.signUp.label }]
      : [],
  )
  return [...signIn, ...signUp]
}

function buttonsOf(methods: readonly SignInMethod[], lastUsed: string | undefined): ReactElement | undefined {
  const buttons = methods.filter(isButton)
  return buttons.length === 0 ? undefined : <Buttons methods={buttons} lastUsed={lastUsed} />
}

interface ButtonsProps {
  readonly methods: readonly SignInMethod[]
  readonly lastUsed: string | undefined
}

function Buttons({ methods, lastUsed }: ButtonsProps): ReactElement {
  const part = usePart()
  return (
    <div data-slot="sign-in-providers" className={part("providers", "providers")}>
      {methods.map((method) => (
        <MethodButton key={method.id} method={method} isLastUsed={method.id === lastUsed} />
      ))}
    </div>
  )
}

function Separator(): ReactElement {
  const { texts } = useControls()
  const part = usePart()
  return (
    <div data-slot="field-separator" className={part("separator", "separator")}>
      <span data-slot="field-separator-content">{texts.or}</span>
    </div>
  )
}

interface FormOfMethodProps {
  readonly form: MethodForm
  readonly isLastUsed: boolean
  readonly forgotPasswordUrl: string | undefined
}

function FormOfMethod({ form, isLastUsed, forgotPasswordUrl }: FormOfMethodProps): ReactElement {
  const { csrfToken, callbackUrl, texts, submit } = useControls()
  const { key, label, method } = form
  const { type, url, fields } = method
  return (
    <FieldsForm
      form={{ key, type, url, fields }}
      hidden={{ csrfToken, callbackUrl }}
      identifying={fields.find(isIdentifying)?.name}
      label={
        <>
          <span>{label}</span>
          {isLastUsed && <LastUsed />}
        </>
      }
      onSubmit={(values) => submit(form, values)}
    >
      {forgotPasswordUrl !== undefined && fields.some(({ type }) => type === "password") && (
        <TextLink href={forgotPasswordUrl}>{texts.forgotPassword}</TextLink>
      )}
    </FieldsForm>
  )
}

function isIdentifying({ type }: SignInField): boolean {
  return type === "email" || type === "text" || type === "tel"
}

interface AlternativesProps {
  readonly forms: readonly MethodForm[]
  readonly open: MethodForm | undefined
}

/** Buttons that open the other forms. */
function Alternatives({ forms, open }: AlternativesProps): ReactElement | null {
  const { choose } = useControls()
  const { components, classNames } = useSlots()
  const { Button } = components
  const part = usePart()
  if (forms.length < 2) return null
  return (
    <div data-slot="sign-in-alternatives" className={part("alternatives", "alternatives")}>
      {forms
        .filter((form) => form !== open)
        .map((form) => (
          <Button
            key={form.key}
            type="button"
            variant="link"
            data-slot="button"
            className={classNames["alternative"]}
            onClick={() => choose(form.key)}
          >
            {form.instead}
          </Button>
        ))}
    </div>
  )
}

function Footer({ url }: { readonly url: string }): ReactElement {
  const { texts } = useControls()
  const part = usePart()
  return (
    <p data-slot="sign-in-footer" className={part("footer", "footer")}>
      <TextLink href={url}>{texts.createAccount}</TextLink>
    </p>
  )
}
