throw new ReferenceError(
  "`next-auth/next` is gone since version 5: call `auth()` of your auth.ts instead of `getServerSession` (docs/migrating-from-next-auth.md)",
)
