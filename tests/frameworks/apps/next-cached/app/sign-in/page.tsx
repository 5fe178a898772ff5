import { Suspense } from "react"
import { enter } from "../actions"

interface Props {
  readonly searchParams: Promise<{ readonly callbackUrl?: string; readonly error?: string }>
}

async function Password({ searchParams }: Props) {
  const { callbackUrl = "/", error } = await searchParams
  return (
    <>
      {error === undefined ? null : <p id="error">{error}</p>}
      <form id="password" action={enter}>
        <input type="hidden" name="callbackUrl" value={callbackUrl} />
        <input name="email" />
        <input name="password" type="password" />
        <button>Sign in</button>
      </form>
    </>
  )
}

export default function SignIn({ searchParams }: Props) {
  return (
    <Suspense>
      <Password searchParams={searchParams} />
    </Suspense>
  )
}
