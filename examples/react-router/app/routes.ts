import { index, route, type RouteConfig } from "@react-router/dev/routes"

export default [
  index("routes/home.tsx"),
  route("account", "routes/account.tsx"),
  route("api/account", "routes/api.account.ts"),
  route("api/csrf-token", "routes/api.csrf-token.ts"),
  route("client", "routes/client.tsx"),
  route("sign-in", "routes/sign-in.tsx"),
  route("auth/*", "routes/auth.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig
