import { component$, useSignal } from "@builder.io/qwik"
import { signIn } from "@auth/qwik/webauthn"

export default component$(() => {
  const failure = useSignal("")
  return (
    <>
      <button
        onClick$={() =>
          signIn("passkey", { action: "register", redirectTo: "/private/" }).catch(
            (error) => (failure.value = error.name),
          )
        }
      >
        Create a passkey
      </button>
      <button
        onClick$={() => signIn("passkey", { redirectTo: "/private/" }).catch((error) => (failure.value = error.name))}
      >
        Sign in with a passkey
      </button>
      <output>{failure.value}</output>
    </>
  )
})
