import type { Actions } from "./$types"

export const actions: Actions = { signOut: ({ locals }) => locals.signOut({ redirectTo: "/" }) }
