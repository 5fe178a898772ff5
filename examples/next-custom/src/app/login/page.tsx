"use client"

import { createAuthClient } from "@latchkey/client"
import { createFlow, type EmailSentStep, type SignInResult } from "@latchkey/client/flow"
import { type ComponentProps, type FormEvent, type ReactNode, useState } from "react"

const flow = createFlow(createAuthClient({ basePath: "/api/auth" }))

/** After a sign-in, the browser goes to the `callbackUrl` in the URL of this page. */
export default function Login() {
  const [sent, setSent] = useState<EmailSentStep>()
  return (
    <section className="panel">
      <h1>Sign in</h1>
      <Step submit="Sign in" send={(form) => flow.password(form)}>
        <Field label="Email" name="email" type="email" autoComplete="username webauthn" />
        <Field label="Password" name="password" type="password" autoComplete="current-password" />
      </Step>
      <Step submit="Email me a link" send={(form) => flow.email(textOf(form, "email"))} onSent={setSent}>
        <Field label="Email" name="email" type="email" autoComplete="email" />
      </Step>
      {sent !== undefined && <p role="status">We sent a link to {sent.email}.</p>}
      {sent?.code !== undefined && (
        <Step submit="Use the code" send={(form) => flow.code(textOf(form, "code"))}>
          <Field label="Code in the email" name="code" autoComplete="one-time-code" />
        </Step>
      )}
      <Step submit="Use a passkey" send={() => flow.passkey()} />
      <Step submit="Continue with OpenID" send={() => flow.oauth("openid")} />
    </section>
  )
}

interface Props {
  readonly submit: string
  readonly send: (form: FormData) => Promise<SignInResult | EmailSentStep>
  readonly onSent?: (step: EmailSentStep) => void
  readonly children?: ReactNode
}

/** A form for one step of the sign-in, with its error. */
function Step({ submit, send, onSent, children }: Props) {
  const [error, setError] = useState<string>()
  async function next(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const step = await send(new FormData(event.currentTarget))
    setError(step.status === "error" ? step.error.message : undefined)
    if (step.status === "email-sent") onSent?.(step)
    else if (step.status !== "error") flow.follow(step)
  }
  return (
    <form method="post" className="fields" onSubmit={next}>
      {children}
      <p role="alert" className="error">
        {error}
      </p>
      <button>{submit}</button>
    </form>
  )
}

function Field({ label, ...input }: ComponentProps<"input"> & { readonly label: string }) {
  return (
    <label>
      {label}
      <input {...input} required />
    </label>
  )
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === "string" ? value : ""
}
