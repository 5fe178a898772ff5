export default auth.handler
