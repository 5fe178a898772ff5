export default defineEventHandler(async (event) => {
  const form = new URLSearchParams(await readRawBody(event))
  return auth.signIn(event, "credentials", {
    email: form.get("email"),
    password: form.get("password"),
    redirectTo: form.get("callbackUrl") ?? "/account",
  })
})
