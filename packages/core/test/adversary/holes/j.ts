import type { Hole } from "./hole.js"

/** Proxies and preview deployments. */
export const holes: readonly Hole[] = [
  {
    name: "a request names the host that receives codes from the redirect proxy",
    file: "src/features/oauth/proxy.ts",
    replace: "  if (isOwnOrigin(auth, request)) return\n",
    with: "  if (request.origin !== '') return\n",
    breaks: "redirect-allowed",
    test: {
      file: "packages/core/test/attacks/host-proxy.test.ts",
      title: "with `trustHost: true` no state is sealed for a host that only the request names",
    },
  },
  {
    name: "a header of Vercel names a deployment elsewhere",
    file: "src/features/oauth/proxy.ts",
    replace: "vercelDeployment.test(deployment) && ",
    with: "",
    test: {
      file: "packages/core/test/invariants/proxy-origins.test.ts",
      title: "elsewhere, the header of Vercel names no deployment",
    },
  },
  {
    name: "a guard resolves a path that the router doesn't resolve",
    file: "src/framework/access.ts",
    replace: " || ambiguous.test(path)",
    with: "",
    test: {
      file: "packages/core/test/attacks/guards.test.ts",
      title: "a target that routers and URLs read as different paths is refused",
    },
  },
  {
    name: "the way back from a protected path names another host",
    file: "src/framework/access.ts",
    replace: '.replace(/^[/\\\\]+/, "/")',
    with: "",
    test: {
      file: "packages/core/test/attacks/guards.test.ts",
      title: "the way back from a protected path stays on the site",
    },
  },
]
