import { defineModule, type Module } from "@latchkey/core/module"

/** How modules find users, for a command. */
export interface Directory {
  /** The id of the user with this email, in any spelling. */
  find(email: string): Promise<string | null>
  /** The email as it's stored for a new user. `null`: it isn't the email of one mailbox. */
  typed(email: string): Promise<string | null>
}

export const directoryId = "latchkey-cli"

/** Added to the configuration, so that a command finds the same users as the modules in it do. */
export function directory(): Module<typeof directoryId, Directory> {
  return defineModule<typeof directoryId, Directory>({
    id: directoryId,
    members: ["find", "typed"],
    load: async () => ({
      server: ({ users }) => ({
        find: async (email) => (await users.byEmail(email))?.id ?? null,
        typed: async (email) => users.typedEmail(email),
      }),
    }),
  })
}
