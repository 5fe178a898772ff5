import { frameworkSuite } from "./suite.js"

frameworkSuite({
  id: "react-router",
  name: "React Router",
  major: 8,
  versions: ["react-router", "@react-router/serve"],
  example: "react-router",
  build: [["react-router", "build"]],
  start: ["react-router-serve", "build/server/index.js"],
  // The server doesn't read the headers of proxies, so it has to know the origins of forms.
  files: {
    "react-router.config.ts": 'export default { allowedActionOrigins: ["shop.test"] }\n',
  },
  below: {
    files: {
      "vite.config.ts": `import { reactRouter } from "@react-router/dev/vite"\n\nexport default { base: "/docs/", plugins: [reactRouter()] }\n`,
      "react-router.config.ts": 'export default { basename: "/docs" }\n',
    },
  },
  pages: true,
  client: true,
})
