"use client"

import { type ReactNode, useActionState } from "react"
import type { Outcome } from "@/app/actions"

interface Props {
  readonly action: (before: Outcome, form: FormData) => Promise<Outcome>
  readonly submit: string
  readonly children: ReactNode
}

/** A form that says what became of it; it works before, and without, JavaScript. */
export function Form({ action, submit, children }: Props) {
  const [outcome, send, isPending] = useActionState(action, undefined)
  return (
    <form action={send} className="fields">
      {children}
      <button disabled={isPending}>{submit}</button>
      <p role="status" className={outcome?.problem === undefined ? "done" : "problem"}>
        {outcome?.problem ?? outcome?.done}
      </p>
    </form>
  )
}
