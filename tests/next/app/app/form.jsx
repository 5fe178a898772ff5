"use client"

import { useActionState } from "../form-state.js"

/** Shows the result of its action. */
export function Form({ action, button, children }) {
  const [result, submit] = useActionState(action, null)
  return (
    <form action={submit}>
      {children}
      <button>{button}</button>
      <output>{result}</output>
    </form>
  )
}
