//! A table that threads fill at once, until one of them makes it larger.

use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use super::{cells::CellSet, table::Table};

/// The table, and the order in which threads get at it.
#[derive(Debug)]
pub struct Growing {
    table: RwLock<Table>,
    /// Held by a thread that waits for the others to let go of the table: they must not come back before it.
    turn: Mutex<()>,
}

impl Growing {
    /// Around a table.
    pub fn new(table: Table) -> Self {
        Growing { table: RwLock::new(table), turn: Mutex::new(()) }
    }

    /// The table, for look-ups and additions.
    pub fn read(&self) -> RwLockReadGuard<'_, Table> {
        // the lock alone lets a thread that comes back at once pass a waiting one, again and again
        drop(self.turn.lock().unwrap_or_else(PoisonError::into_inner));
        self.table.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table, without threads.
    pub fn get_mut(&mut self) -> &mut Table {
        self.table.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Doubles what is crowded, unless another thread has done it.
    pub fn grow<C: CellSet>(&self) {
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        if table.is_crowded() {
            table.grow::<C>();
        }
    }
}
