"use client"

import { type ReactNode, useActionState } from "react"
import type { FormState } from "@/app/actions"

interface Props {
  readonly action: (previous: FormState, form: FormData) => Promise<FormState>
  readonly submit: string
  readonly children: ReactNode
}

/** Shows the result of its action. It also works before JavaScript loads, and without it. */
export function Form({ action, submit, children }: Props) {
  const [state, formAction, isPending] = useActionState(action, undefined)
  return (
    <form action={formAction} className="fields">
      {children}
      <button disabled={isPending}>{submit}</button>
      <p role="status" className={state?.error === undefined ? "success" : "error"}>
        {state?.error ?? state?.success}
      </p>
    </form>
  )
}
