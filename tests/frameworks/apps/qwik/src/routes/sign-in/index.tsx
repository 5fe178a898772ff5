import { component$ } from "@builder.io/qwik"
import { Form, useLocation } from "@builder.io/qwik-city"
import { useSignIn } from "../plugin@auth"

export default component$(() => {
  const { url } = useLocation()
  const signIn = useSignIn()
  return (
    <>
      {url.searchParams.has("error") && <p id="error">{url.searchParams.get("error")}</p>}
      <Form action={signIn} id="password">
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="redirectTo" value={url.searchParams.get("callbackUrl") ?? "/"} />
        <input name="options.email" />
        <input name="options.password" type="password" />
        <button>Sign in</button>
      </Form>
    </>
  )
})
