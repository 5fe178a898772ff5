"use client"

import { getCsrfToken, getProviders, signIn } from "next-auth/react"
import { useEffect, useState } from "react"

export function Client() {
  const [error, setError] = useState<string | null>(null)
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    getProviders().then((providers) => setNames(Object.values(providers ?? {}).map(({ id, name }) => `${id}: ${name}`)))
  }, [])
  async function submit(code: string) {
    const token: string = await getCsrfToken()
    const result = await signIn("credentials", { code, redirect: false, token })
    if (result?.error) setError(result.code ?? result.error)
    else if (result?.url) location.assign(result.url)
  }
  return (
    <button onClick={() => submit("123456")}>
      {error} {names.join()}
    </button>
  )
}
