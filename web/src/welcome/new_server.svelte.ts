// Whether the server has no accounts yet, whether it sends mail, and where else people may log in: what somebody without
// a session needs to know.
import { GET, dataOf, type Schemas } from '../api/client';

class NewServer {
  is = $state(false);
  sendsMail = $state(false);
  providers = $state.raw<Schemas['LoginProvider'][]>([]);

  async check(): Promise<void> {
    try {
      const welcome = await dataOf(GET('/x/v1/welcome'));
      this.is = welcome.isNewServer ?? false;
      this.sendsMail = welcome.canMailPassword ?? false;
      this.providers = welcome.providers ?? [];
    } catch {
      // The login page reports what is wrong when somebody tries.
      this.is = false;
    }
  }
}

export const newServer = new NewServer();
