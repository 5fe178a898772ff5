"use client"

import { useActionState } from "../form-state.js"

/** A form that shows what its action returns. */
export function Form({ action, button, children }) {
  const [answer, submit] = useActionState(action, null)
  return (
    <form action={submit}>
      {children}
      <button>{button}</button>
      <output>{answer}</output>
    </form>
  )
}
