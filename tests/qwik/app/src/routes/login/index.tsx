import { component$ } from "@builder.io/qwik"
import { Form, useLocation } from "@builder.io/qwik-city"
import { useSignIn } from "../plugin@auth"

export default component$(() => {
  const signIn = useSignIn()
  const { url } = useLocation()
  const redirectTo = url.searchParams.get("callbackUrl") ?? "/private/"
  return (
    <>
      <Form id="password" action={signIn}>
        <input type="hidden" name="providerId" value="credentials" />
        <input type="hidden" name="options.redirectTo" value={redirectTo} />
        <label>
          Name <input name="options.name" />
        </label>
        <label>
          Password <input name="options.password" type="password" />
        </label>
        <button>Sign in</button>
      </Form>
      <Form id="email" action={signIn}>
        <input type="hidden" name="providerId" value="email" />
        <input type="hidden" name="options.redirectTo" value={redirectTo} />
        <label>
          Email <input name="options.email" />
        </label>
        <button>Email me a link</button>
      </Form>
      <Form id="acme" action={signIn}>
        <input type="hidden" name="providerId" value="op" />
        <input type="hidden" name="redirectTo" value={redirectTo} />
        <input type="hidden" name="authorizationParams.prompt" value="login" />
        <button>Sign in with Acme</button>
      </Form>
      <Form id="unknown" action={signIn}>
        <input type="hidden" name="providerId" value="unknown" />
        <button>Sign in with an unknown provider</button>
      </Form>
      <Form id="invalid" action={signIn}>
        <input type="hidden" name="options" value="text" />
        <button>Send invalid options</button>
      </Form>
      <Form id="nested" action={signIn}>
        <input type="hidden" name="options.redirectTo.path" value="/private/" />
        <button>Send a nested target</button>
      </Form>
      <button onClick$={() => signIn.submit({ providerId: "op", redirectTo })}>Acme by script</button>
      <button
        onClick$={async () => {
          await signIn.submit({
            providerId: "credentials",
            options: { name: "ada", password: "open sesame", redirectTo },
          })
        }}
      >
        Ada by script
      </button>
      <p id="error">{`${url.searchParams.get("error")} ${url.searchParams.get("code")}`}</p>
      <output>{JSON.stringify({ status: signIn.status, value: signIn.value })}</output>
    </>
  )
})
