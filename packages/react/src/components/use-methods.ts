import type { Flow } from "@latchkey/client/flow"
import { type RefObject, useEffect } from "react"
import type { Data } from "./sign-in-context.js"
import type { SignInProps } from "./sign-in-props.js"

/** Asks the server for the methods once, unless the page has them. @returns a function that asks again */
export function useMethods(
  props: RefObject<SignInProps>,
  flow: () => Flow,
  change: (data: Partial<Data>) => void,
): () => void {
  const load = async () => loaderFor(props.current)(props.current, flow())
  useEffect(() => {
    let isStale = false
    void load().then((data) => {
      if (!isStale) change(data)
    })
    return () => {
      isStale = true
    }
    // Only when the component mounts.
  }, [])
  return () => void load().then(change)
}

function loaderFor({ initial, resume }: SignInProps) {
  if (initial !== undefined) return loadProblem
  return resume === true ? resumeFactor : loadMethods
}

/** If no sign-in waits, the methods, and why it ended. */
async function resumeFactor(props: SignInProps, flow: Flow): Promise<Partial<Data>> {
  const step = await flow.factor()
  if (step.status === "factor") return { asked: step, problem: undefined }
  return { ...(await loadMethods(props, flow)), problem: { error: step.error } }
}

export async function loadMethods({ redirectTo }: SignInProps, flow: Flow): Promise<Partial<Data>> {
  const callbackUrl = redirectTo ?? new URLSearchParams(location.search).get("callbackUrl") ?? location.href
  const result = await flow.methods({ callbackUrl })
  const problem = result.error && { error: result.error }
  return result.status === "methods" ? { loaded: result, problem } : { problem }
}

/** The page has the methods. The error in its URL has a message in the language of the user. */
async function loadProblem({ initial }: SignInProps, flow: Flow): Promise<Partial<Data>> {
  const code = new URLSearchParams(location.search).get("error")
  if (code === null || initial?.error !== undefined) return {}
  return { problem: { error: await flow.error(code) } }
}
