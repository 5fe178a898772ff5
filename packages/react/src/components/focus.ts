import { type RefObject, useEffect, useRef } from "react"
import type { SignInControls } from "./sign-in-context.js"

/** Moves the focus to the field with the error, and to the first field of a form or step that the user opened. */
export function useFocus(root: RefObject<HTMLElement | null>, { step, chosen, problem }: SignInControls): void {
  useEffect(() => {
    if (problem !== undefined) focus(root.current?.querySelector("[aria-invalid=true]"))
  }, [problem, root])

  const view = `${step?.status ?? "methods"} ${step?.status === "factor" ? step.factor : chosen}`
  const shown = useRef(view)
  useEffect(() => {
    if (shown.current === view) return
    shown.current = view
    const field = root.current?.querySelector("form input:not([type=hidden])")
    focus(field ?? root.current?.querySelector("h1"))
  }, [view, root])
}

function focus(element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return
  element.focus()
  if (element instanceof HTMLInputElement) element.select()
}
