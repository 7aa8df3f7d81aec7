// Whether the server has no accounts yet, and whether it sends mail: what somebody without a session needs to know.
import { GET, dataOf } from '../api/client';

class NewServer {
  is = $state(false);
  sendsMail = $state(false);

  async check(): Promise<void> {
    try {
      const welcome = await dataOf(GET('/x/v1/welcome'));
      this.is = welcome.isNewServer ?? false;
      this.sendsMail = welcome.canMailPassword ?? false;
    } catch {
      // The login page reports what is wrong, once somebody tries.
      this.is = false;
    }
  }
}

export const newServer = new NewServer();
