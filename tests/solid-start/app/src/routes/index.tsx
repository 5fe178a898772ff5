import { getSession, type GetSessionResult } from "@auth/solid-start"
import { type SignInResponse, signIn, signOut } from "@auth/solid-start/client"
import { createAsync, query } from "@solidjs/router"
import { createSignal } from "solid-js"
import { getRequestEvent } from "solid-js/web"
import { authOpts } from "~/routes/api/auth/[...solidauth]"

const session = query(async (): GetSessionResult => {
  "use server"
  const request = getRequestEvent()?.request
  return request === undefined ? null : getSession(request, authOpts)
}, "auth_user")

export default function Home() {
  const current = createAsync(() => session(), { deferStream: true })
  const [result, setResult] = createSignal<SignInResponse>()
  const tryPassword = async (name: string, password: string) =>
    setResult(await signIn("credentials", { name, password, redirect: false }))
  return (
    <main>
      <p id="user">{current()?.user?.email ?? "signed out"}</p>
      <p id="result">{result() === undefined ? "" : `${result()?.ok} ${result()?.error} ${result()?.code}`}</p>
      <button id="wrong" onClick={() => tryPassword("ada", "wrong")} />
      <button id="locked" onClick={() => tryPassword("locked", "open sesame")} />
      <button
        id="password"
        onClick={() => signIn("credentials", { name: "ada", password: "open sesame", callbackUrl: "/?in" })}
      />
      <button id="op" onClick={() => signIn("op", { redirectTo: "/?op" }, { prompt: "login" })} />
      <button id="leave" onClick={() => signOut({ callbackUrl: "/?out" })} />
    </main>
  )
}
