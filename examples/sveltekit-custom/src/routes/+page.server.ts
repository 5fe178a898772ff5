import type { Actions } from "./$types"

export const actions: Actions = {
  signIn: ({ locals }) => locals.signIn(undefined, { redirectTo: "/account" }),
  signOut: ({ locals }) => locals.signOut({ redirectTo: "/" }),
}
