export default defineEventHandler((event) => auth.signIn(event, undefined, { redirectTo: "/account" }))
