throw new ReferenceError(
  "`next-auth/middleware` was removed in version 5. Export `auth` from your auth.ts as the proxy or middleware. See docs/migrating-from-next-auth.md.",
)
