throw new ReferenceError(
  "`next-auth/next` was removed in version 5. Call `auth()` from your auth.ts instead of `getServerSession`. See docs/migrating-from-next-auth.md.",
)
