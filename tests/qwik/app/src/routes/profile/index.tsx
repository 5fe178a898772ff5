import { component$, useSignal } from "@builder.io/qwik"
import { useSession } from "../plugin@auth"

export default component$(() => {
  const session = useSession()
  const current = useSignal("")
  return (
    <>
      <pre id="session">{JSON.stringify(session.value)}</pre>
      <button
        onClick$={async () => {
          const response = await fetch("/auth/session", {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({ data: { color: "green" } }),
          })
          current.value = JSON.stringify(await response.json())
        }}
      >
        Paint it green
      </button>
      <output>{current.value}</output>
    </>
  )
})
