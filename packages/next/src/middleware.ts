throw new ReferenceError(
  "`next-auth/middleware` is gone since version 5: export `auth` from your auth.ts as the middleware (docs/migrating-from-next-auth.md)",
)
