import { type RefObject, useEffect } from "react"
import type { Flow } from "./flow.js"
import type { Data } from "./sign-in-context.js"
import type { SignInProps } from "./sign-in-props.js"

/** Asks the server for the methods once, unless the page has them. @returns a function that asks again */
export function useMethods(
  props: RefObject<SignInProps>,
  flow: () => Flow,
  change: (data: Partial<Data>) => void,
): () => void {
  const load = async () => (props.current.initial === undefined ? loadMethods : loadProblem)(props.current, flow())
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

async function loadMethods({ redirectTo }: SignInProps, flow: Flow): Promise<Partial<Data>> {
  const { callbackUrl = location.href, ...error } = queryOf(location.search)
  const result = await flow.methods({ callbackUrl: redirectTo ?? callbackUrl, ...error })
  const problem = result.error && { error: result.error }
  return result.status === "methods" ? { loaded: result, problem } : { problem }
}

/** The page has the methods. The error in its URL has a message in the language of the user. */
async function loadProblem({ initial }: SignInProps, flow: Flow): Promise<Partial<Data>> {
  const { error, code } = queryOf(location.search)
  if (error === undefined || initial?.error !== undefined) return {}
  const shown = await flow.error({ error, code })
  return shown === undefined ? {} : { problem: { error: shown } }
}

/** What the server adds to the URL of a sign-in page. */
function queryOf(search: string): { readonly [Name in "callbackUrl" | "code" | "error"]?: string } {
  const query = new URLSearchParams(search)
  const names = ["callbackUrl", "code", "error"].filter((name) => query.has(name))
  return Object.fromEntries(names.map((name) => [name, query.get(name)]))
}
